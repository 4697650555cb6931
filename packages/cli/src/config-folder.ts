import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** Returns the user's config folder: `PARLEY_CONFIG_DIR`, or otherwise the system's default. */
export function configFolder(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const { PARLEY_CONFIG_DIR, XDG_CONFIG_HOME, APPDATA } = environment;
  if (PARLEY_CONFIG_DIR) return path.resolve(PARLEY_CONFIG_DIR);
  if (platform === 'win32') return path.join(APPDATA || path.join(homedir(), 'AppData', 'Roaming'), 'parley');
  // A relative XDG_CONFIG_HOME must be ignored.
  if (XDG_CONFIG_HOME && path.isAbsolute(XDG_CONFIG_HOME)) return path.join(XDG_CONFIG_HOME, 'parley');
  return path.join(homedir(), '.config', 'parley');
}

/**
 * Returns the JSON object in a file; null if it is missing or invalid. @throws if the file exists but cannot be read
 */
export function readJsonFile(file: string): Record<string, unknown> | null {
  const text = readText(file);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Writes atomically a file that only its owner can read. */
export function writePrivateFile(file: string, value: object): void {
  const folder = path.dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    chmodSync(draft, 0o600);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
