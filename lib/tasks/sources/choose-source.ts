import { type AgentRecord, isBuiltInUrl, isHubUrl } from '../../catalog';
import type { RunSource } from '../runs/run-source';
import { builtInSource } from './built-in-source';
import { httpSource } from './http-source';
import { hubSource } from './hub-source';

/** Returns the source that executes the agent's turns. The only place where it is chosen. */
export function runSourceOf({ url }: Pick<AgentRecord, 'url'>): RunSource {
  if (isHubUrl(url)) return hubSource;
  return isBuiltInUrl(url) ? builtInSource : httpSource;
}
