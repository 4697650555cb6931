import path from 'node:path';
import { readJsonFile, writePrivateFile } from './config-folder.js';

/** Stored credentials of a sign-in. */
export interface Credential {
  accessToken: string;
  /** Single-use. Null for an access token created in the settings. */
  refreshToken: string | null;
  /** Unix seconds; null if unknown. */
  expiresAt: number | null;
  /** Space-separated; absent if unknown. */
  scope?: string;
}

/** Stores the user's sign-ins, one per Parley, in a file that only the user can read. */
export class CredentialFile {
  readonly file: string;

  constructor(folder: string) {
    this.file = path.join(folder, 'credentials.json');
  }

  find(origin: string): Credential | null {
    const found = this.read().servers[origin];
    return found && typeof found.accessToken === 'string' ? found : null;
  }

  /** The Parley of the latest sign-in. */
  get current(): string | null {
    return this.read().current;
  }

  keep(origin: string, credential: Credential): void {
    const { servers } = this.read();
    writePrivateFile(this.file, { current: origin, servers: { ...servers, [origin]: credential } });
  }

  remove(origin: string): void {
    const { current, servers } = this.read();
    const { [origin]: _removed, ...others } = servers;
    writePrivateFile(this.file, { current: current === origin ? null : current, servers: others });
  }

  private read(): { current: string | null; servers: Record<string, Credential> } {
    const { current, servers } = readJsonFile(this.file) ?? {};
    return {
      current: typeof current === 'string' ? current : null,
      servers: typeof servers === 'object' && servers !== null ? { ...(servers as Record<string, Credential>) } : {},
    };
  }
}
