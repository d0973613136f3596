// A source for targets that exist for their precompiled headers only.
