import { randomUUID } from 'node:crypto';
import * as agent03 from '../../fakes/a2a03';
import type { ScriptedAgent } from '../../fakes/scripted-agent';

/** Has an agent answer every message with one text, in a task of its own. */
export function answerAlways(agent: ScriptedAgent, textFor: (said: string) => string): void {
  agent.answer(({ received, result, end }) => {
    const id = randomUUID();
    const said = received.params.message?.parts.map(({ text }) => text ?? '').join('') ?? '';
    result(agent03.status(id, 'working'));
    result(agent03.artifact(id, textFor(said)));
    result(agent03.status(id, 'completed'));
    end();
  });
}

/** Has an agent answer every message with an artifact of these parts, as A2A 0.3 writes them. */
export function answerParts(agent: ScriptedAgent, parts: object[], name = 'page'): void {
  agent.answer(({ result, end }) => {
    const taskId = randomUUID();
    result(agent03.status(taskId, 'working'));
    const artifact = { artifactId: 'made', name, parts };
    result({ kind: 'artifact-update', taskId, contextId: 'agent-context', artifact });
    result(agent03.status(taskId, 'completed'));
    end();
  });
}

/** Text whose characters lie across chunks: half a rocket here, the other half there. */
export const pieces = Array.from({ length: 160 }, (_, index) =>
  index % 5 === 0 ? `\n\n**${index}** 🚀 é\u0301 ` : `word${index} `,
);
