import { LRUCache } from 'lru-cache';
import { ParleyError } from '../../platform/errors';
import { fetchExternalBody } from '../../platform/http-client/safe-fetch';
import type { Artifact, Message, Part, Task } from '../../protocol/a2a/core/model';
import {
  INLINE_TIMEOUT_MS,
  INLINED_FILE_CACHE_MS,
  MAX_CACHED_INLINED_FILES,
  MAX_INLINED_FILE_BYTES,
  MAX_INLINED_FILES,
} from '../limits';

type Link = Part & { kind: 'uri' };
type InlinedFile = { bytes: string; mediaType?: string };

/**
 * Returns the task with the agent's linked files inlined, for clients that do not support links (AgentOS). Files are
 * fetched through safe-fetch without a credential. A file that cannot be fetched, is blocked or is too large remains a
 * link.
 */
export async function inlineFiles(task: Task, signal: AbortSignal): Promise<Task> {
  const agentMessages = task.history.filter(({ role }) => role === 'agent');
  const outputs = [...task.artifacts, ...agentMessages, ...(task.status.message ? [task.status.message] : [])];
  const links = new Set(outputs.flatMap(({ parts }) => parts.filter(isLink).map(({ uri }) => uri)));
  if (links.size === 0) return task;
  const found = await Promise.all(
    [...links].slice(0, MAX_INLINED_FILES).map(async (uri) => [uri, await getFile(uri)] as const),
  );
  signal.throwIfAborted();
  const files = new Map(found);
  const withInlinedFiles = <Item extends Artifact | Message>(item: Item): Item => ({
    ...item,
    parts: item.parts.map((part) => (isLink(part) ? toInlinedPart(part, files.get(part.uri)) : part)),
  });
  const { message } = task.status;
  return {
    ...task,
    artifacts: task.artifacts.map(withInlinedFiles),
    history: task.history.map((item) => (item.role === 'agent' ? withInlinedFiles(item) : item)),
    status: { ...task.status, message: message && withInlinedFiles(message) },
  };
}

function isLink(part: Part): part is Link {
  return part.kind === 'uri';
}

function toInlinedPart(link: Link, file: InlinedFile | null | undefined): Part {
  if (!file) return link;
  const { filename, metadata, mediaType = file.mediaType } = link;
  return { kind: 'bytes', bytes: file.bytes, filename, mediaType, metadata };
}

const cache = new LRUCache<string, { file: Promise<InlinedFile | null>; expiresAt: number }>({
  max: MAX_CACHED_INLINED_FILES,
});

function getFile(uri: string): Promise<InlinedFile | null> {
  const cached = cache.get(uri);
  if (cached && performance.now() < cached.expiresAt) return cached.file;
  const file = fetchFile(uri);
  file.catch(() => cache.delete(uri));
  cache.set(uri, { file, expiresAt: performance.now() + INLINED_FILE_CACHE_MS });
  return file;
}

// Not aborted when the caller disconnects, because other callers may share this fetch.
async function fetchFile(url: string): Promise<InlinedFile | null> {
  try {
    const { signal } = new AbortController();
    const { status, headers, bytes } = await fetchExternalBody({
      url,
      method: 'GET',
      signal,
      maxBytes: MAX_INLINED_FILE_BYTES,
      totalMs: INLINE_TIMEOUT_MS,
    });
    if (status !== 200) return null;
    return {
      bytes: bytes.toString('base64'),
      mediaType: headers['content-type']?.split(';', 1)[0]?.trim() || undefined,
    };
  } catch (error) {
    if (error instanceof ParleyError) return null;
    throw error;
  }
}
