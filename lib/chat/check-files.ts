import type { AgentRecord } from '../catalog';
import { ParleyError } from '../platform/errors';
import { acceptsMode } from '../protocol/a2a/core/modes';
import { MAX_FILE_BYTES, type PostMessage } from './schema';
import { inputModesOf } from './to-wire';

/**
 * Holds the files of a message against the agent's card and our own cap, as the page did before it sent them.
 * @throws {ParleyError} `content_type_not_supported` naming what the agent takes; `payload_too_large`
 */
export function checkFiles(files: PostMessage['files'], agent: Pick<AgentRecord, 'card' | 'name'>): void {
  const accepted = inputModesOf(agent);
  const refused = files.find(({ mediaType }) => !acceptsMode(accepted, mediaType));
  if (refused) {
    const text = `${agent.name} takes ${accepted.join(', ') || 'no files'}; "${refused.name}" is ${refused.mediaType}.`;
    throw new ParleyError('content_type_not_supported', text, { data: { accepted } });
  }
  const total = files.reduce((sum, { bytes }) => sum + Buffer.byteLength(bytes, 'base64'), 0);
  if (total > MAX_FILE_BYTES) {
    const text = `The files have ${total} bytes together; a message takes ${MAX_FILE_BYTES}. Send fewer or smaller ones.`;
    throw new ParleyError('payload_too_large', text, { data: { limit: MAX_FILE_BYTES } });
  }
}
