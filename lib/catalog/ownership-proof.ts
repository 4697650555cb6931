import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { hmac } from '../platform/crypto';
import { asParleyError } from '../platform/errors';
import { fetchExternalBody } from '../platform/safe-fetch';
import type { AgentRecord } from './record';
import type { OwnershipProof } from './schema';

const timeoutMs = 5_000;
const maxFileBytes = 4_096;

/** What the owner publishes, and where: whoever can do that holds the host. It is another one for each owner. */
export function ownershipProofOf({ id, ownerId, url }: Pick<AgentRecord, 'id' | 'ownerId' | 'url'>): OwnershipProof {
  const { hostname, origin } = new URL(url);
  const isName = isIP(hostname.replace(/[[\]]/g, '')) === 0 && hostname.includes('.');
  return {
    host: hostname,
    text: `parley-agent=${hmac('agent-ownership', `${id} ${ownerId}`).slice(0, 32)}`,
    dnsName: isName ? `_parley.${hostname}` : null,
    fileUrl: `${origin}/.well-known/parley-agent.txt`,
  };
}

/** Where the proof is published: as a TXT record or as a line of the file; null when it is nowhere. */
export async function findPublishedProof(
  { text, dnsName, fileUrl }: OwnershipProof,
  { signal, resolver = new Resolver({ timeout: timeoutMs, tries: 1 }) }: { signal: AbortSignal; resolver?: Resolver },
): Promise<'dns' | 'file' | null> {
  if (dnsName && (await textRecords(dnsName, resolver)).includes(text)) return 'dns';
  return (await fileLines(fileUrl, signal)).includes(text) ? 'file' : null;
}

/** A record may come in several pieces (RFC 7208 §3.3); whatever goes wrong with a name, there is no proof in it. */
async function textRecords(name: string, resolver: Resolver): Promise<string[]> {
  const records = await resolver.resolveTxt(name).catch(() => []);
  return records.map((pieces) => pieces.join('').trim());
}

async function fileLines(url: string, signal: AbortSignal): Promise<string[]> {
  try {
    const { status, bytes } = await fetchExternalBody({
      url,
      method: 'GET',
      headers: { accept: 'text/plain' },
      maxBytes: maxFileBytes,
      totalMs: timeoutMs,
      signal,
    });
    return status === 200
      ? bytes
          .toString('utf8')
          .split(/\r?\n/)
          .map((line) => line.trim())
      : [];
  } catch (error) {
    if (asParleyError(error) && !signal.aborted) return [];
    throw error;
  }
}
