'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { ImportList } from '@/lib/catalog/schema-imports';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Select } from '../../forms/inputs';
import { Button } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { announce } from '../../ui/overlays/announcer';
import { ImportEntryList } from './import-entry-list';
import { ImportSourceForm } from './import-source-form';
import { useImport } from './use-import';

/** Imports a list of agents: reads and checks it, displays the entries, and lists those that the user selects. */
export function ImportAgents(): ReactNode {
  const t = useTranslations('console.importAgents');
  const imported = useImport();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { list, verdicts, outcomes, progress, problem } = imported;

  async function check(found: ImportList): Promise<void> {
    const results = await imported.check(found);
    const ready = results.filter(({ verdict }) => verdict === 'ready').map(({ url }) => url);
    setChosen(new Set(ready));
    announce(t('checked', { ready: ready.length, total: found.entries.length }));
  }

  async function listChosen(visibility: string): Promise<void> {
    const results = await imported.listAgents([...chosen], visibility);
    const listed = results.filter(({ outcome }) => outcome === 'listed').length;
    // Failed entries stay selected, so that they can be retried.
    setChosen(new Set(results.filter(({ outcome }) => outcome === 'refused').map(({ url }) => url)));
    announce(t('listed', { count: listed }));
  }

  function choose(url: string, isChosen: boolean): void {
    const others = [...chosen].filter((other) => other !== url);
    setChosen(new Set(isChosen ? [...others, url] : others));
  }

  const listedCount = [...outcomes.values()].filter(({ outcome }) => outcome === 'listed').length;
  const canChoose = [...verdicts.values()].some(
    ({ url, verdict }) => (verdict === 'ready' || verdict === 'confirm') && !isDone(outcomes.get(url)?.outcome),
  );
  return (
    <div className="max-w-3xl space-y-8">
      <ImportSourceForm onRead={check} onStart={imported.clear} progress={progress} />
      {list ? (
        <section aria-labelledby="import-found" className="space-y-4">
          <h2 className="text-xl font-semibold" id="import-found">
            {t('found', { count: list.entries.length })}
          </h2>
          <p className="text-sm text-muted">{t(`formats.${list.format}`)}</p>
          {list.omitted > 0 ? <Alert tone="warn">{t('omitted', { count: list.omitted })}</Alert> : null}
          <FormProblem problem={problem} />
          {listedCount > 0 && progress === null ? (
            <Alert title={t('listed', { count: listedCount })} tone="good">
              {t('listedHint')}
            </Alert>
          ) : null}
          {list.entries.length > 0 ? (
            <ImportEntryList
              chosen={chosen}
              entries={list.entries}
              isBusy={progress !== null}
              onChoose={choose}
              outcomes={outcomes}
              verdicts={verdicts}
            />
          ) : (
            <p>{t('empty')}</p>
          )}
          {canChoose && progress?.step !== 'check' ? (
            <ImportChoice count={chosen.size} isPending={progress?.step === 'list'} onList={listChosen} />
          ) : null}
        </section>
      ) : null}
    </div>
  );
}

function isDone(outcome: string | undefined): boolean {
  return outcome === 'listed' || outcome === 'unchanged';
}

interface ImportChoiceProps {
  /** Number of chosen agents. */
  count: number;
  isPending: boolean;
  onList: (visibility: string) => void;
}

const visibilities = ['public', 'unlisted', 'private'] as const;

/** Lists the chosen agents, all with the same visibility. */
function ImportChoice({ count, isPending, onList }: ImportChoiceProps): ReactNode {
  const t = useTranslations('console.importChoice');
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!isPending && count > 0) onList(String(new FormData(event.currentTarget).get('visibility')));
  }
  return (
    <form className="flex flex-wrap items-end gap-x-4 gap-y-3" method="post" onSubmit={submit}>
      <Field id="visibility" label={t('visibility')} required>
        {(control) => (
          <Select {...control} defaultValue="public" name="visibility">
            {visibilities.map((value) => (
              <option key={value} value={value}>
                {t(`visibilities.${value}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Button aria-disabled={count === 0} pending={isPending} tone="primary" type="submit">
        {t('list', { count })}
      </Button>
    </form>
  );
}
