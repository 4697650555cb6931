// Preloaded into processes whose memory is measured: SIGUSR2 runs the garbage collector.
process.on('SIGUSR2', () => globalThis.gc());
