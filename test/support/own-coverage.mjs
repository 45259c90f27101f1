/*
 * Measures coverage only in the processes that run tests. Programs started by a test would inherit the setting, run slower, and
 * add their own reports.
 */
if (process.env.MOCHA_WORKER_ID !== undefined && process.env.NODE_V8_COVERAGE !== undefined) {
  delete process.env.NODE_V8_COVERAGE
  // On a busy machine, writing the coverage takes longer than the second after which mocha ends its workers with this signal.
  process.on('SIGTERM', () => {})
}
