import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SocietyAnswer } from '@/lib/hub/society/answer';
import { statusParams } from '@/lib/protocol/hub/society';
import type { JsonObject } from '@/lib/protocol/json';

interface Update {
  artifactUpdate?: { artifact: { parts: { text: string }[] }; append: boolean };
  statusUpdate?: { status: { state: string } };
}

/** The text that a reader of the events has at the end. */
function readText(events: JsonObject[]): string {
  let text = '';
  for (const { artifactUpdate } of events as Update[]) {
    if (!artifactUpdate) continue;
    const piece = artifactUpdate.artifact.parts.map((part) => part.text).join('');
    text = artifactUpdate.append ? text + piece : piece;
  }
  return text;
}

function frame(text: string, state: string): ReturnType<typeof statusParams.parse> {
  const message = { role: 'agent', parts: [{ type: 'text', text }] };
  return statusParams.parse({ task_id: 't', status: { state, message }, final: state !== 'working' });
}

test('an answer from Society contains the whole text once after any chunks, and ignores text after its end', () => {
  const text = fc.string({ maxLength: 8 });
  fc.assert(
    fc.property(fc.array(text), fc.option(text), (pieces, ending) => {
      const answer = new SocietyAnswer(2);
      const events = pieces.flatMap((piece) => answer.receiveStatus(frame(piece, 'working')));
      const joined = pieces.join('');
      const whole = ending === null ? `other ${joined}` : joined + ending;
      events.push(...answer.complete(frame(whole, 'completed')));
      expect(readText(events)).toBe(whole);
      expect((events.at(-1) as Update).statusUpdate?.status.state).toBe('completed');
      expect(answer.receiveStatus(frame('late', 'working'))).toEqual([]);
      expect(answer.complete(frame('late', 'failed'))).toEqual([]);
      // An extended text is sent only as far as it is new.
      const sent = (events as Update[]).flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts ?? []);
      if (ending !== null) expect(sent.map((part) => part.text).join('')).toBe(whole);
    }),
  );
});
