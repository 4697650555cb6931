// Preloaded into a target whose memory is measured: on SIGUSR2 it collects its garbage, so that what is left is in use.
process.on('SIGUSR2', () => globalThis.gc());
