import { findAgentById } from '../catalog';
import { describeUserAgent } from '../identity';
import type { AuditRecord } from '../observability';
import type { ActivityView } from './schema';

export async function toActivityView(entry: AuditRecord): Promise<ActivityView> {
  const { seq, at, event, object, detail, actor, address, userAgent } = entry;
  const agent = object.startsWith('agt_') ? await findAgentById(object) : null;
  return {
    id: seq,
    at: at.toISOString(),
    event,
    object,
    agent: agent && { slug: agent.slug, name: agent.name },
    detail,
    by: actor,
    place: address === null ? null : { device: describeUserAgent(userAgent ?? ''), address },
  };
}
