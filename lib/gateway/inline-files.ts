import { asParleyError } from '../platform/errors';
import { NewestMap } from '../platform/newest-map';
import { shared } from '../platform/registry';
import { egressText } from '../platform/safe-fetch';
import type { Artifact, Message, Part, Task } from '../protocol/a2a/core/model';

/** Largest file that is fetched, how many of one task, and how long for all of them. */
const maxBytes = 1_048_576;
const maxFiles = 8;
const totalMs = 5_000;

/** Callers ask for the same task again and again: what a link led to, also to nothing, is known for a while. */
const keptMs = 300_000;
const maxKept = 16;

type Link = Part & { kind: 'uri' };
type Inlined = { bytes: string; mediaType?: string };

/**
 * The task with the agent's linked files inside it, for callers who know no links (AgentOS, seed-systems §5.2 row 7). Fetched
 * by the guarded way out, without a credential. A link that leads to nothing, to too much or where nobody may call stays one.
 */
export async function inlineFiles(task: Task, signal: AbortSignal): Promise<Task> {
  const said = task.history.filter(({ role }) => role === 'agent');
  const spoken = [...task.artifacts, ...said, ...(task.status.message ? [task.status.message] : [])];
  const links = new Set(spoken.flatMap(({ parts }) => parts.filter(isLink).map(({ uri }) => uri)));
  if (links.size === 0) return task;
  const found = await Promise.all([...links].slice(0, maxFiles).map(async (uri) => [uri, await fileAt(uri)] as const));
  signal.throwIfAborted();
  const files = new Map(found);
  const inside = <Said extends Artifact | Message>(whole: Said): Said => ({
    ...whole,
    parts: whole.parts.map((part) => (isLink(part) ? inlined(part, files.get(part.uri)) : part)),
  });
  const { message } = task.status;
  return {
    ...task,
    artifacts: task.artifacts.map(inside),
    history: task.history.map((one) => (one.role === 'agent' ? inside(one) : one)),
    status: { ...task.status, message: message && inside(message) },
  };
}

function isLink(part: Part): part is Link {
  return part.kind === 'uri';
}

function inlined(link: Link, file: Inlined | null | undefined): Part {
  if (!file) return link;
  const { filename, metadata, mediaType = file.mediaType } = link;
  return { kind: 'bytes', bytes: file.bytes, filename, mediaType, metadata };
}

function fileAt(uri: string): Promise<Inlined | null> {
  const kept = shared(
    'inlined-files',
    () => new NewestMap<string, { file: Promise<Inlined | null>; until: number }>(maxKept),
  );
  const known = kept.get(uri);
  if (known && Date.now() < known.until) return known.file;
  const file = fetchFile(uri);
  file.catch(() => kept.delete(uri));
  kept.set(uri, { file, until: Date.now() + keptMs });
  return file;
}

// Others may wait for the same file, so that no caller who leaves ends the fetch.
async function fetchFile(url: string): Promise<Inlined | null> {
  try {
    const { signal } = new AbortController();
    const { status, headers, bytes } = await egressText({ url, method: 'GET', signal, maxBytes, totalMs });
    if (status !== 200) return null;
    return {
      bytes: bytes.toString('base64'),
      mediaType: headers['content-type']?.split(';', 1)[0]?.trim() || undefined,
    };
  } catch (error) {
    if (asParleyError(error)) return null;
    throw error;
  }
}
