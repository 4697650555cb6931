import { type AgentRecord, isBuiltInUrl, isHubUrl } from '../../catalog';
import type { RunSource } from '../runs/run-source';
import { builtInSource } from './built-in/answer-turn';
import { httpSource } from './http/http-source';
import { hubSource } from './hub/hub-source';

/** How the agent executes turns; determined only here. */
export function runSourceOf({ url }: Pick<AgentRecord, 'url'>): RunSource {
  if (isHubUrl(url)) return hubSource;
  return isBuiltInUrl(url) ? builtInSource : httpSource;
}
