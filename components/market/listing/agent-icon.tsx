import type { ReactNode } from 'react';
import type { AgentSummary } from '@/lib/catalog/schema';
import { AgentMark } from '../../ui/display/agent-mark';

export interface AgentIconProps {
  agent: Pick<AgentSummary, 'slug' | 'iconUrl'>;
  /** Edge length, CSS px. */
  size: number;
}

/** An agent's icon as Parley serves it, otherwise its generated mark. Decorative. */
export function AgentIcon({ agent, size }: AgentIconProps): ReactNode {
  const { slug, iconUrl } = agent;
  if (iconUrl === null) return <AgentMark size={size} slug={slug} />;
  const { pathname, search } = new URL(iconUrl);
  return (
    <img
      alt=""
      className="shrink-0 rounded-[22%] bg-sunken object-cover"
      decoding="async"
      height={size}
      loading="lazy"
      src={`${pathname}${search}`}
      width={size}
    />
  );
}
