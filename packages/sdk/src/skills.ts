import type { CallOptions, Client } from './client.js';
import { ParleyError } from './errors.js';
import type { Artifact, SendResult, Task } from './wire.js';

/** The extension of a card that states the schemas of skills. */
export const SKILLS_EXTENSION = 'urn:parley:skills:v1';

/** JSON Schemas (2020-12) of a skill's input and output as data. */
export interface SkillSchemas {
  input?: Record<string, unknown>;
  output?: Record<string, unknown>;
}

/** A typed call: the skill of an agent, and its input. */
export interface SkillCall {
  /** Slug of the agent. */
  agent: string;
  /** Id of the skill. */
  skill: string;
  input: unknown;
}

/** The output of a typed call, with the task or message that contains it. */
export interface SkillResult<Output> {
  output: Output;
  result: SendResult;
}

/**
 * Calls a skill with the input as data, `{tool, arguments}`, and returns the first data of the answer, or its text. The
 * output is not validated.
 * @throws {ParleyError} `skill_failed` if the task did not complete or answered nothing; its `details` have the task
 */
export async function callSkill<Output = unknown>(
  client: Pick<Client, 'send'>,
  { agent, skill, input }: SkillCall,
  options?: CallOptions,
): Promise<SkillResult<Output>> {
  const result = await client.send(agent, { parts: [{ data: { tool: skill, arguments: input } }] }, options);
  const parts = 'task' in result ? partsOf(result.task, skill) : result.message.parts;
  const data = parts.find((part) => part.data !== undefined);
  const text = parts.flatMap((part) => part.text ?? []).join('\n');
  if (!data && text === '') throw failure(skill, 'answered nothing', 'task' in result ? result.task : undefined);
  return { output: (data ? data.data : text) as Output, result };
}

function partsOf(task: Task, skill: string): Artifact['parts'] {
  const { state, message } = task.status;
  if (state !== 'TASK_STATE_COMPLETED') {
    const words = message?.parts.flatMap((part) => part.text ?? []).join(' ');
    const name = state.replace('TASK_STATE_', '').toLowerCase().replace('_', '-');
    throw failure(skill, `is ${name}${words ? `: ${words}` : ''}`, task);
  }
  return (task.artifacts ?? []).flatMap(({ parts }) => parts);
}

function failure(skill: string, what: string, task: Task | undefined): ParleyError {
  return new ParleyError('skill_failed', `The skill "${skill}" ${what}`, { details: task && { task } });
}

/** Returns the schemas of skills as the extension of a card; undefined if there are none. */
export function skillsExtension(
  schemas: Record<string, SkillSchemas>,
): { uri: string; params: { skills: Record<string, SkillSchemas> } } | undefined {
  return Object.keys(schemas).length === 0 ? undefined : { uri: SKILLS_EXTENSION, params: { skills: schemas } };
}
