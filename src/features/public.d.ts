/** The types of features that programs use. */
export type { CanaryOptions } from './canary/record.js';
export type {
  AppStacks as Stacks,
  ProfileOptions,
  SavedProfile,
  WorkerStack,
} from './why/record.js';
