import { type Dialect, toListedTask } from './dialect';
import { toV03Error, toV10Error } from './errors';
import { v01Dialect } from './v01/dialect';
import type { LegacySystem } from './v01/variants';
import { v03Methods } from './v03/decode';
import {
  toV03Event,
  toV03Message,
  toV03ProtoEvent,
  toV03ProtoMessage,
  toV03ProtoPushConfig,
  toV03ProtoTask,
  toV03PushConfig,
  toV03Task,
} from './v03/encode';
import { v10Methods } from './v10/decode';
import { toV10Event, toV10Message, toV10PushConfig, toV10Task } from './v10/encode';

/** A2A 0.3 over JSON-RPC. */
export const v03: Dialect = {
  key: '0.3',
  methods: v03Methods,
  sendResult: (result) => ('task' in result ? toV03Task(result.task) : toV03Message(result.message)),
  taskResult: toV03Task,
  listResult: ({ tasks, ...page }, includeArtifacts) => ({
    tasks: tasks.map((task) => toV03Task(toListedTask(task, includeArtifacts))),
    ...page,
  }),
  snapshotEvent: toV03Task,
  event: toV03Event,
  pushConfigResult: toV03PushConfig,
  pushListResult: ({ configs }) => configs.map(toV03PushConfig),
  pushDeleteResult: null,
  cardShape: '0.3',
  error: toV03Error,
};

/** A2A 0.3 over HTTP: decoded like JSON-RPC, encoded as the ProtoJSON of its a2a.proto. */
export const v03Rest: Dialect = {
  ...v03,
  sendResult: (result) =>
    'task' in result ? { task: toV03ProtoTask(result.task) } : { message: toV03ProtoMessage(result.message) },
  taskResult: toV03ProtoTask,
  listResult: ({ tasks, ...page }, includeArtifacts) => ({
    tasks: tasks.map((task) => toV03ProtoTask(toListedTask(task, includeArtifacts))),
    ...page,
  }),
  snapshotEvent: (task) => ({ task: toV03ProtoTask(task) }),
  event: toV03ProtoEvent,
  pushConfigResult: toV03ProtoPushConfig,
  pushListResult: ({ configs, nextPageToken }) => ({ configs: configs.map(toV03ProtoPushConfig), nextPageToken }),
  cardShape: '0.3-proto',
};

/** A2A 1.0, over both bindings. */
export const v10: Dialect = {
  key: '1.0',
  methods: v10Methods,
  sendResult: (result) =>
    'task' in result ? { task: toV10Task(result.task) } : { message: toV10Message(result.message) },
  taskResult: (task) => toV10Task(task),
  listResult: ({ tasks, ...page }, includeArtifacts) => ({
    tasks: tasks.map((task) => toV10Task(task, { omitArtifacts: !includeArtifacts })),
    ...page,
  }),
  snapshotEvent: (task) => ({ task: toV10Task(task) }),
  event: toV10Event,
  pushConfigResult: toV10PushConfig,
  pushListResult: ({ configs, nextPageToken }) => ({ configs: configs.map(toV10PushConfig), nextPageToken }),
  pushDeleteResult: {},
  cardShape: '1.0',
  error: toV10Error,
};

/** A2A 0.2: 0.3 with an older card. */
export const v02: Dialect = { ...v03, cardShape: '0.1' };

/** A2A 0.1 as specified. */
export const v01: Dialect = v01Dialect('0.1', v02);

const allMethods = { ...v10Methods, ...v03Methods };

/** The dialects at the four legacy systems' paths, which accept every method. */
export const legacySystems: Record<LegacySystem, Dialect> = {
  society: v01Dialect('society', v02, allMethods),
  societyai: v01Dialect('societyai', v02, allMethods),
  orloj: v01Dialect('orloj', v02, allMethods),
  agentos: v01Dialect('agentos', v02, allMethods),
};
