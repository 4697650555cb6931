// Adds the platform packages to package-lock.json that are missing in this machine's registry. npm omits such optional
// packages, and `npm ci` then rejects the lockfile on those platforms. Run after every `npm install`: node
// scripts/fix-lockfile.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const LOCK = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const PROCESSORS = ['arm64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/**
 * Returns true if the package is locked. npm resolves a package from its parent's node_modules first, then one level up
 * at a time.
 */
function isLocked(packages, parent, name) {
  const levels = parent.split('/node_modules/');
  return (
    levels.some((_, depth) => {
      const level = levels.slice(0, depth + 1).join('/node_modules/');
      return packages[`${level}/node_modules/${name}`];
    }) || Boolean(packages[`node_modules/${name}`])
  );
}

/** Platform packages are named after the OS, CPU and C library: `@next/swc-linux-arm64-musl`. */
function entryOf(name, version) {
  const words = name.split(/[-/]/);
  const cpu = PROCESSORS.find((processor) => words.includes(processor));
  const os = SYSTEMS.find((system) => words.includes(system));
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : words.includes('gnu') ? 'glibc' : undefined;
  return {
    version,
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(libc ? { libc: [libc] } : {}),
    optional: true,
    ...(os ? { os: [os] } : {}),
  };
}

const lock = JSON.parse(readFileSync(LOCK, 'utf8'));
const { packages } = lock;
const missing = new Map();
for (const [parent, { optionalDependencies = {} }] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    // Platform packages are pinned to an exact version. Resolving a range would require the registry.
    if (/^\d/.test(version) && !isLocked(packages, parent, name))
      missing.set(`node_modules/${name}`, entryOf(name, version));
  }
}
const sorted = [...Object.entries(packages), ...missing].sort(([left], [right]) => (left < right ? -1 : 1));
lock.packages = Object.fromEntries(sorted);
writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
for (const [key, entry] of missing) console.log(`added ${key.slice('node_modules/'.length)} ${entry.version}`);
console.log(`${missing.size} entries added`);
