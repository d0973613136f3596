install(TARGETS stint RUNTIME)
