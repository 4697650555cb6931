import { type Delivery, reserveWorker } from '../../../hub';
import type { Message } from '../../../protocol/a2a/core/model';
import { toAgentRequest } from '../../../protocol/a2a/dialects';
import { isObject, type JsonObject } from '../../../protocol/json';
import type { SendInput } from '../../runs/turn';
import type { NewHubRun } from '../../store/hub-runs';
import { hubRun } from './deliver-turn';
import { QueuedSlots } from './queued-slots';

/** A send to an agent that connects to Parley, until its run begins. */
export class QueuedSend {
  /** The delivery to a worker of this node; null for a run that waits to be claimed. */
  private delivery: Delivery | null = null;
  private request: JsonObject = {};
  private readonly slots: QueuedSlots;

  constructor(
    private readonly dueAt: Date,
    /** True if no worker is connected, so that the task's status states that it waits. */
    readonly offline: boolean,
    release: () => void,
  ) {
    this.slots = new QueuedSlots(release);
  }

  /** The run, to be written with its task. It is offered immediately if a worker of this node is free. */
  prepare({ agent, request }: Pick<SendInput, 'agent' | 'request'>, turn: HubTurn): NewHubRun {
    const { taskId, turnSeq, contextId } = turn;
    this.delivery = reserveWorker({ taskId, turnSeq, agentId: agent.id, contextId });
    if (!this.delivery) this.slots.holdFor(taskId);
    this.request = toOfferedRequest(request, turn);
    return {
      agentId: agent.id,
      turnSeq,
      request: this.request,
      dueAt: this.dueAt,
      epoch: this.delivery?.epoch ?? 0,
    };
  }

  /** Executes the prepared run, once it is written; undefined for one that waits. */
  get hubRun(): ReturnType<typeof hubRun> | undefined {
    const { delivery, request } = this;
    return delivery ? hubRun(delivery, { epoch: delivery.epoch, attempt: 1, seen: 0, request }) : undefined;
  }

  /** Call if the send did not start a run. */
  cancel(): void {
    this.delivery?.end('finished');
    this.slots.cancel();
  }
}

/** A turn of a task, and our id of its context for the agent. */
interface HubTurn {
  taskId: string;
  contextId: string;
  ownContextId: string;
  message: Message;
  turnSeq: number;
}

/** The request for the worker, with our id of the task, and the id of its context for this agent. */
function toOfferedRequest(
  request: SendInput['request'],
  { taskId, ownContextId: contextId, message }: HubTurn,
): JsonObject {
  const { acceptedOutputModes } = request.configuration;
  const sent: Message = { ...message, taskId, contextId };
  const envelope = toAgentRequest('1.0', '', {
    op: 'stream',
    message: sent,
    acceptedOutputModes,
    metadata: request.metadata,
  });
  return isObject(envelope.params) ? envelope.params : {};
}
