import type { MessageTable } from '../../message-tables';

/**
 * The fields that the draft of A2A 1.1 adds to the messages of 1.0: a2aproject/A2A, branch dev-1.1 with pull requests 1810
 * and 2129. Peers of 1.0 skip them.
 */
export const a2aDraftFields = {
  SendMessageConfiguration: [
    [5, 'ifGenerationMatch', 'int64', 'optional'],
    [6, 'timelineLength', 'int32', 'optional'],
  ],
  Task: [
    [7, 'generation', 'int64'],
    [8, 'timeline', 'TimelineEntry', 'repeated'],
  ],
  Artifact: [
    [7, 'startGeneration', 'int64'],
    [8, 'endGeneration', 'int64'],
  ],
  TimelineEntry: [
    [1, 'message', 'Message', 'oneof:entry'],
    [2, 'status', 'TaskStatus', 'oneof:entry'],
    [3, 'generation', 'int64'],
  ],
  TaskStatusUpdateEvent: [[5, 'generation', 'int64']],
  TaskArtifactUpdateEvent: [[7, 'generation', 'int64']],
  GetTaskRequest: [
    [4, 'currentGeneration', 'int64', 'optional'],
    [5, 'timelineLength', 'int32', 'optional'],
  ],
  ListTasksRequest: [[9, 'timelineLength', 'int32', 'optional']],
} as const satisfies MessageTable;
