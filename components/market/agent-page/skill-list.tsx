import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { type AgentDetail, isCallable, type SkillView } from '@/lib/catalog/schema';
import { useFormatMoney } from '../../payments/offers/money';
import { Badge } from '../../ui/display/badge';
import { MediaModes } from '../listing/capability-badges';
import { TryExample } from './connect/try-example';

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
