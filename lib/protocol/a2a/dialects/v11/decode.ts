import { z } from 'zod';
import type { JsonObject } from '../../../json';
import { MAX_ANSWERED_ELICITATIONS, MAX_HISTORY_LENGTH } from '../../../limits';
import type { CoreRequest } from '../../core/model';
import type { Methods } from '../dialect';
import { idSchema, parseParams, protoObject } from '../params';
import { v10Methods } from '../v10/decode';

// The members that the draft of A2A 1.1 adds to those of 1.0.

const INT64_LIMIT = 2n ** 63n;

/** An int64 in ProtoJSON: a number or its digits. The result is rounded if no double represents the value. */
const int64Schema = z.union([z.number(), z.string()]).transform((value, context) => {
  const isExact = typeof value === 'number' ? Number.isSafeInteger(value) : /^-?\d{1,19}$/.test(value);
  const exact = isExact ? BigInt(value) : INT64_LIMIT;
  if (exact >= -INT64_LIMIT && exact < INT64_LIMIT) return Number(exact);
  context.issues.push({ code: 'custom', input: value, message: 'expected a 64-bit integer' });
  return z.NEVER;
});

/** Entries of the timeline of each listed task, unless the caller requests another number. */
const LISTED_TIMELINE_LENGTH = 20;

const timelineLengthSchema = z.number().int().min(0).max(MAX_HISTORY_LENGTH);

const changesSchema = protoObject({ timelineLength: timelineLengthSchema.nullish() });
const sendSchema = protoObject({
  message: protoObject({ elicitationIds: z.array(idSchema).max(MAX_ANSWERED_ELICITATIONS).nullish() }),
  configuration: protoObject({
    ifGenerationMatch: int64Schema.nullish(),
    timelineLength: timelineLengthSchema.nullish(),
  }).nullish(),
});
const getSchema = protoObject({
  currentGeneration: int64Schema.nullish(),
  timelineLength: timelineLengthSchema.nullish(),
});

/** Methods of A2A 1.1, which have the names of 1.0. */
export const v11Methods: Methods = {
  ...v10Methods,
  SendMessage: (params) => toCoreSend('SendMessage', params),
  SendStreamingMessage: (params) => toCoreSend('SendStreamingMessage', params),
  GetTask: (params) => {
    const request = decodeV10('GetTask', params, 'get');
    const { currentGeneration, timelineLength } = parseParams(getSchema, params);
    return { ...request, newerThan: currentGeneration ?? undefined, changes: changesRequest(timelineLength) };
  },
  ListTasks: (params) => {
    const { filter } = decodeV10('ListTasks', params, 'list');
    const { timelineLength } = parseParams(changesSchema, params);
    return { op: 'list', filter: { ...filter, changes: changesRequest(timelineLength ?? LISTED_TIMELINE_LENGTH) } };
  },
  CancelTask: (params) => ({ ...decodeV10('CancelTask', params, 'cancel'), changes: {} }),
  SubscribeToTask: (params) => ({ ...decodeV10('SubscribeToTask', params, 'subscribe'), changes: {} }),
};

function toCoreSend(method: string, params: JsonObject): CoreRequest {
  const request = decodeV10(method, params, 'send');
  const { message, configuration } = parseParams(sendSchema, params);
  return {
    ...request,
    message: { ...request.message, elicitationIds: message.elicitationIds ?? undefined },
    configuration: {
      ...request.configuration,
      ifGenerationMatch: configuration?.ifGenerationMatch ?? undefined,
      changes: changesRequest(configuration?.timelineLength),
    },
  };
}

function changesRequest(timelineLength: number | null | undefined): { timelineLength?: number } {
  return { timelineLength: timelineLength ?? undefined };
}

type RequestOf<Op> = Extract<CoreRequest, { op: Op }>;

function decodeV10<Op extends CoreRequest['op']>(method: string, params: JsonObject, op: Op): RequestOf<Op> {
  const request = v10Methods[method]?.(params);
  if (request?.op !== op) throw new Error(`${method} is not decoded to "${op}".`);
  return request as RequestOf<Op>;
}
