/* A shared object that is no plugin. */
__attribute__((visibility("default"))) int answer(void) { return 42; }
