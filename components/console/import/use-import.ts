'use client';

import { useState } from 'react';
import { MAX_IMPORT_BATCH } from '@/lib/catalog/limits';
import type { ImportList, ImportOutcome, ImportVerdict } from '@/lib/catalog/schema-imports';
import { type ApiProblem, type ApiResponse, callApi } from '../../forms/call-api';

/** The number of agents of an import that have been checked or listed. */
export interface ImportProgress {
  step: 'check' | 'list';
  done: number;
  total: number;
}

export interface ImportState {
  list: ImportList | null;
  /** Verdicts by URL. */
  verdicts: ReadonlyMap<string, ImportVerdict>;
  /** Outcomes by URL. */
  outcomes: ReadonlyMap<string, ImportOutcome>;
  /** Null if no operation is in progress. */
  progress: ImportProgress | null;
  /** The reason why the remaining agents were not checked or listed. */
  problem: ApiProblem | null;
}

const nothing: ImportState = { list: null, verdicts: new Map(), outcomes: new Map(), progress: null, problem: null };

export interface Import extends ImportState {
  /** Clears the results of an earlier import. */
  clear: () => void;
  /** Checks every agent of a list. Returns the verdicts. */
  check: (list: ImportList) => Promise<ImportVerdict[]>;
  /** Lists the agents at these URLs. Returns the outcomes. */
  listAgents: (urls: string[], visibility: string) => Promise<ImportOutcome[]>;
}

interface Batches<Result> {
  send: (batch: string[]) => Promise<ApiResponse>;
  /** The state with the results of a batch. */
  add: (old: ImportState, batch: Result[]) => ImportState;
}

/**
 * Returns functions that check and list the agents of an import in batches, so that no request takes long and progress
 * is visible.
 */
export function useImport(): Import {
  const [state, setState] = useState(nothing);

  async function inBatches<Result>(
    step: ImportProgress['step'],
    urls: string[],
    { send, add }: Batches<Result>,
  ): Promise<Result[]> {
    const results: Result[] = [];
    for (let from = 0; from < urls.length; from += MAX_IMPORT_BATCH) {
      setState((old) => ({ ...old, progress: { step, done: from, total: urls.length } }));
      const response = await send(urls.slice(from, from + MAX_IMPORT_BATCH));
      if (!response.ok) {
        setState((old) => ({ ...old, problem: response.problem }));
        break;
      }
      const batch = (response.body as { results: Result[] }).results;
      results.push(...batch);
      setState((old) => add(old, batch));
    }
    setState((old) => ({ ...old, progress: null }));
    return results;
  }

  return {
    ...state,
    clear: () => setState(nothing),
    check(list) {
      setState({ ...nothing, list });
      const urls = list.entries.flatMap(({ url }) => url ?? []);
      return inBatches<ImportVerdict>('check', urls, {
        send: (batch) => callApi('POST', '/api/imports/check', { agents: batch.map((url) => ({ url })) }),
        add: (old, batch) => ({ ...old, verdicts: withAll(old.verdicts, batch) }),
      });
    },
    listAgents(urls, visibility) {
      setState((old) => ({ ...old, problem: null }));
      return inBatches<ImportOutcome>('list', urls, {
        send(batch) {
          // The user saw the target of the agent's calls before selecting it.
          const agents = batch.map((url) => ({ url, confirmOrigin: state.verdicts.get(url)?.verdict === 'confirm' }));
          return callApi('POST', '/api/imports/list', { agents, visibility });
        },
        add: (old, batch) => ({ ...old, outcomes: withAll(old.outcomes, batch) }),
      });
    },
  };
}

function withAll<Result extends { url: string }>(
  known: ReadonlyMap<string, Result>,
  batch: Result[],
): ReadonlyMap<string, Result> {
  return new Map([...known, ...batch.map((one): [string, Result] => [one.url, one])]);
}
