import { cleanLine } from './clean-text';
import { addWarning, describeNode, elementsOrOne, type Need, type SourceNode } from './source-node';

const mediaType = /^[\w!#$&^.+-]{1,64}\/[\w!#$&^.+*-]{1,64}(?:\s*;.{0,80})?$|^\*\/\*$/;

/** Short names that older cards use for media types. */
const shortNames: Record<string, string> = {
  text: 'text/plain',
  markdown: 'text/markdown',
  html: 'text/html',
  json: 'application/json',
  data: 'application/json',
  file: 'application/octet-stream',
  image: 'image/*',
  audio: 'audio/*',
  video: 'video/*',
};

/**
 * A list of media types, lower case. Short names such as `text` are read as what they stand for, other names as they are
 * written (`task-status`); both with a warning.
 */
export function modesMember(parent: SourceNode, name: string, need: Need): string[] {
  const modes = new Set<string>();
  for (const element of elementsOrOne(parent, name, { need, max: 50, example: '["text/plain"]' })) {
    const written = element.node.type === 'string' ? String(element.node.value).trim() : '';
    const known = Object.hasOwn(shortNames, written.toLowerCase()) ? shortNames[written.toLowerCase()] : undefined;
    if (known) {
      const words = {
        found: describeNode(element.node),
        expected: 'a media type',
        fix: `Write "${known}". Parley reads it so.`,
      };
      addWarning(element, 'mode.media-type', words);
      modes.add(known);
    } else if (mediaType.test(written)) {
      modes.add(written.toLowerCase());
    } else {
      addWarning(element, 'mode.media-type', {
        found: describeNode(element.node),
        expected: 'a media type such as text/plain or application/json',
        fix: 'Write the media type (RFC 6838). Callers may not know this one.',
      });
      const name = cleanLine(written).toLowerCase();
      if (name !== '') modes.add(name);
    }
  }
  return [...modes];
}
