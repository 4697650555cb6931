import { useTranslations } from 'next-intl';
import { type ReactNode, useId } from 'react';
import type { AgentGrantView } from '@/lib/tokens/schema';

type Hire = AgentGrantView['hire'];

const choices: Hire[] = ['never', 'ask', 'yes'];

export interface HireChoiceProps {
  agentName: string;
  /** Name of the radio buttons; unique on the page. */
  name: string;
  hire: Hire;
  disabled: boolean;
  onChoose: (hire: Hire) => void;
}

/**
 * The choice of whether an agent may hire other agents for the user: native radio buttons and an explanation of the
 * current choice.
 */
export function HireChoice({ agentName, name, hire, disabled, onChoose }: HireChoiceProps): ReactNode {
  const t = useTranslations('account.hireChoice');
  const hint = useId();
  return (
    <fieldset aria-describedby={hint} disabled={disabled}>
      <legend className="pt-1 text-sm font-medium">
        {t('legend')}
        <span className="sr-only"> ({agentName})</span>
      </legend>
      <div className="flex flex-wrap gap-x-5">
        {choices.map((choice) => (
          <label className="inline-flex min-h-8 cursor-pointer items-center gap-2 text-sm touch:min-h-11" key={choice}>
            <input
              checked={choice === hire}
              className="size-4 shrink-0 cursor-pointer accent-accent touch:size-5"
              name={name}
              onChange={() => onChoose(choice)}
              type="radio"
              value={choice}
            />
            {t(`choice.${choice}`)}
          </label>
        ))}
      </div>
      <p className="text-sm text-muted" id={hint}>
        {t(`hint.${hire}`)}
      </p>
    </fieldset>
  );
}
