import Link from 'next/link';
import type { ReactNode } from 'react';
import type { AgentDetail, SkillView } from '@/lib/catalog/schema';
import { newChatPath } from '../shell/routes';
import { Badge } from '../ui/badge';
import { ArrowRightIcon } from '../ui/icons';

/** What the agent can do, each skill with its examples as conversations that wait to be sent. */
export function SkillList({ agent }: { agent: AgentDetail }): ReactNode {
  if (agent.skills.length === 0)
    return <p className="text-muted">The card names no skills. Ask the agent what it does.</p>;
  const callable = agent.status === 'active' || agent.status === 'deprecated';
  return (
    <ul className="space-y-4">
      {agent.skills.map((skill) => (
        <li className="rounded-lg border border-line bg-surface p-5" key={skill.id}>
          <SkillText skill={skill} />
          {callable ? <Examples examples={skill.examples} slug={agent.slug} /> : null}
        </li>
      ))}
    </ul>
  );
}

function SkillText({ skill }: { skill: SkillView }): ReactNode {
  return (
    <>
      <h3 className="font-semibold" dir="auto">
        {skill.name}
      </h3>
      <p className="mt-1 max-w-prose text-sm text-muted" dir="auto">
        {skill.description}
      </p>
      {skill.tags.length > 0 ? (
        <p className="mt-3 flex flex-wrap gap-1.5">
          {skill.tags.map((tag) => (
            <Badge className="max-w-full" key={tag}>
              <bdi className="truncate">{tag}</bdi>
            </Badge>
          ))}
        </p>
      ) : null}
    </>
  );
}

function Examples({ slug, examples }: { slug: string; examples: string[] }): ReactNode {
  if (examples.length === 0) return null;
  return (
    <div className="mt-4 border-t border-line pt-3">
      <h4 className="text-xs text-muted">Try it</h4>
      <ul className="mt-1">
        {examples.map((example) => (
          <li key={example}>
            <Link
              className="group -mx-2 flex min-h-10 items-center gap-3 rounded-md px-2 py-1.5 text-sm hover:bg-sunken touch:min-h-11"
              href={newChatPath(slug, example)}
              prefetch={false}
            >
              <span className="min-w-0 flex-1" dir="auto">
                {example}
              </span>
              <ArrowRightIcon className="shrink-0 text-muted group-hover:text-accent" size={16} />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
