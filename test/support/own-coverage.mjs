/*
 * Measures coverage only in the processes that run tests. Programs started by a test would inherit the setting, run slower, and
 * add their own reports.
 */
if (process.env.MOCHA_WORKER_ID !== undefined) delete process.env.NODE_V8_COVERAGE
