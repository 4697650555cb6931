import { taskInput, taskOutput } from '../schema-tools';
import { cancelHostTask, readHostTask } from './host-task';
import { tool } from './tool';
import { marketToolNames } from './tool-names';

export const getTaskTool = tool({
  name: marketToolNames.poll,
  title: 'Get a task',
  description: 'Shows the state of a task and the answer of the agent.',
  scope: 'tasks:read',
  input: taskInput,
  output: taskOutput,
  annotations: { readOnlyHint: true },
  run: async ({ ctx, input, agent }) =>
    (await readHostTask({ ctx, taskId: input.task_id, agent, scope: 'tasks:read' })).result,
});

export const cancelTaskTool = tool({
  name: marketToolNames.cancel,
  title: 'Cancel a task',
  description: 'Asks the agent to stop working on a task.',
  scope: 'agents:call',
  input: taskInput,
  output: taskOutput,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  run: async ({ ctx, input, agent }) => {
    const canceled = await cancelHostTask({ ctx, taskId: input.task_id, agent, scope: 'agents:call' });
    return canceled.result;
  },
});
