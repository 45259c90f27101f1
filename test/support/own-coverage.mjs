/*
 * Only the processes that run tests measure coverage. A program that a test starts would inherit it: it would be slower, and its
 * report would be read too.
 */
if (process.env.MOCHA_WORKER_ID !== undefined) delete process.env.NODE_V8_COVERAGE
