import { getUserTask } from '../gateway';
import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { foldTask } from '../protocol/a2a/core/events';
import type { Part } from '../protocol/a2a/core/model';
import { requireSession } from './policy';
import { isOwnContext } from './store/branches';

interface PageInput {
  taskId: string;
  artifactId: string;
  /** Which part of the artifact the page begins with, counted from 0. */
  part: number;
}

/**
 * The HTML that an agent made, as it was written; for a frame that nothing of ours can be reached from.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `not_found` for what is not there, not the person's or not HTML
 */
export async function getArtifactPage({ ctx, input }: { ctx: Ctx; input: PageInput }): Promise<string> {
  const { userId } = requireSession(ctx.actor);
  const task = await getUserTask({ userId, taskId: input.taskId });
  if (!task || !(await isOwnContext(userId, task.contextId))) throw pageNotFound();
  const { artifacts } = foldTask(
    { id: task.id, contextId: task.contextId, createdAt: task.createdAt.toISOString() },
    task.events.map(({ event }) => event),
  );
  const artifact = artifacts.find(({ artifactId }) => artifactId === input.artifactId);
  const html = extractPage(artifact?.parts.slice(input.part) ?? []);
  if (html === null) throw pageNotFound();
  return html;
}

/** The page that these parts begin with, which may have come in pieces; null when they begin with something else. */
function extractPage(parts: Part[]): string | null {
  const [first] = parts;
  if (!first || !isHtml(first)) return null;
  const end = parts.findIndex((part) => part.kind !== first.kind || part.filename !== first.filename || !isHtml(part));
  const chunks = end < 0 ? parts : parts.slice(0, end);
  if (first.kind === 'text') return chunks.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  return Buffer.concat(chunks.map((part) => Buffer.from(part.kind === 'bytes' ? part.bytes : '', 'base64'))).toString(
    'utf8',
  );
}

function isHtml(part: Part): boolean {
  if (part.kind !== 'text' && part.kind !== 'bytes') return false;
  return (part.mediaType ?? '').split(';', 1)[0]?.trim().toLowerCase() === 'text/html';
}

function pageNotFound(): ParleyError {
  return new ParleyError('not_found', 'There is no such page in your conversations.');
}
