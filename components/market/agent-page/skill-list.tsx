import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { type AgentDetail, isCallable, type SkillView } from '@/lib/catalog/schema';
import { useFormatMoney } from '../../payments/offers/money';
import { Badge } from '../../ui/display/badge';
import { agentTabPath } from '../listing/agent-tabs';
import { MediaModes } from '../listing/capability-badges';
import { TryExample } from './connect/try-example';

const shownSkills = 4;
const shownExamples = 2;

/** The first skills, each in a sentence, with the examples that the agent answers when they are chosen. */
export function SkillSummary({ agent: { slug, status, skills } }: { agent: AgentDetail }): ReactNode {
  const t = useTranslations('market.skillSummary');
  if (skills.length === 0) return null;
  const shown = skills.slice(0, shownSkills);
  const callable = isCallable(status);
  const canTry = callable && shown.some(({ examples }) => examples.length > 0);
  return (
    <section aria-labelledby="can-do-title" className="scroll-mt-32" id="can-do">
      <h2 className="text-xl font-semibold" id="can-do-title">
        {t('title')}
      </h2>
      {canTry ? <p className="mt-1 max-w-prose text-muted">{t('lead')}</p> : null}
      <ul className="mt-4 divide-y divide-line rounded-lg border border-line bg-surface">
        {shown.map(({ id, name, description, examples }) => (
          <li className="px-4 py-4 sm:px-5" key={id}>
            <h3 className="font-semibold" dir="auto">
              {name}
            </h3>
            <p className="mt-1 line-clamp-3 max-w-prose text-sm text-muted" dir="auto">
              {description}
            </p>
            {callable && examples.length > 0 ? (
              <ul aria-label={t('examples', { name })} className="mt-2">
                {examples.slice(0, shownExamples).map((example) => (
                  <li key={example}>
                    <TryExample example={example} slug={slug} />
                  </li>
                ))}
              </ul>
            ) : null}
          </li>
        ))}
      </ul>
      <p className="mt-3 text-sm">
        <Link
          className="text-link inline-flex min-h-8 items-center touch:min-h-11"
          href={agentTabPath(slug, 'skills', 'tabs')}
          prefetch={false}
        >
          {t('all', { count: skills.length })}
        </Link>
      </p>
    </section>
  );
}

/** The agent's skills, each with its examples as conversations ready to be sent. */
export function SkillList({ agent }: { agent: AgentDetail }): ReactNode {
  const t = useTranslations('market.skillList');
  if (agent.skills.length === 0) return <p className="text-muted">{t('empty')}</p>;
  const callable = isCallable(agent.status);
  return (
    <ul className="space-y-4">
      {agent.skills.map((skill) => (
        <li className="rounded-lg border border-line bg-surface p-5" key={skill.id}>
          <SkillText skill={skill} />
          <SkillModes skill={skill} />
          <SkillPrice price={skill.price} />
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
  const t = useTranslations('market.skillList');
  if (examples.length === 0) return null;
  return (
    <div className="mt-4 border-t border-line pt-3">
      <h4 className="text-xs text-muted">{t('try')}</h4>
      <ul className="mt-1">
        {examples.map((example) => (
          <li key={example}>
            <TryExample example={example} slug={slug} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The price per use, as stated by the agent's team. Only the offer in the conversation is binding. */
function SkillPrice({ price }: Pick<SkillView, 'price'>): ReactNode {
  const t = useTranslations('market.skillList');
  const formatMoney = useFormatMoney();
  if (!price) return null;
  const sum = formatMoney({ currency: price.currency, minor: price.amount });
  return (
    <dl className="mt-1 flex flex-wrap gap-x-2 text-sm">
      <dt className="text-muted">{t('price')}</dt>
      <dd>{price.amount === 0 ? t('free') : t(price.from ? 'priceFrom' : 'priceOf', { sum })}</dd>
      {price.amount === 0 ? null : <dd className="text-muted">{t('priceNote')}</dd>}
    </dl>
  );
}

/** A skill's input and output, in plain words. */
function SkillModes({ skill }: { skill: SkillView }): ReactNode {
  const t = useTranslations('market.skillList');
  return (
    <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-1 text-sm">
      <div className="flex gap-2">
        <dt className="text-muted">{t('takes')}</dt>
        <dd>
          <MediaModes modes={skill.inputModes} />
        </dd>
      </div>
      <div className="flex gap-2">
        <dt className="text-muted">{t('gives')}</dt>
        <dd>
          <MediaModes modes={skill.outputModes} />
        </dd>
      </div>
    </dl>
  );
}
