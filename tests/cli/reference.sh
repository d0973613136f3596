#!/usr/bin/env bash
# The generated pages of docs/reference are what the program prints today.
exec "$STINT_SOURCE_DIR/tools/reference.sh" --check "$STINT"
