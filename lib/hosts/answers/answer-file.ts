import { authorize } from '../../identity';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import type { Part } from '../../protocol/a2a/core/model';
import { findUserTask } from './find-user-task';

/** A file of an answer. */
export interface AnswerFile {
  bytes: Buffer;
  name: string;
  mediaType: string;
}

/**
 * The file that an answer links to, by the id in its URL: the task, the index of the part, and the artifact or message.
 * @throws {ParleyError} `not_found`, also for the file of another user
 */
export async function getAnswerFile({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<AnswerFile> {
  const user = authorize(ctx.actor, { hostScope: 'tasks:read' });
  const [, taskId = '', index = '', source = ''] = /^([\da-f-]{36})\.(\d{1,6})\.(.+)$/s.exec(input.id) ?? [];
  const found = await findUserTask(ctx, user, taskId);
  if (!found) throw fileNotFound();
  const { task } = found;
  const sources: { id: string; parts: Part[] }[] = [
    ...task.artifacts.map(({ artifactId, parts }) => ({ id: artifactId, parts })),
    ...task.history.map(({ messageId, parts }) => ({ id: messageId, parts })),
  ];
  const part = sources.find(({ id }) => id === source)?.parts[Number(index)];
  if (part?.kind !== 'bytes') throw fileNotFound();
  return {
    bytes: Buffer.from(part.bytes, 'base64'),
    name: part.filename ?? 'file',
    mediaType: part.mediaType ?? 'application/octet-stream',
  };
}

function fileNotFound(): ParleyError {
  return new ParleyError('not_found', 'File not found. It may belong to another user.');
}
