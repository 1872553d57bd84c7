export { type DeadJob, listDeadJobs, retryDeadJob } from './dead-jobs.ts'
export { type JobFigures, jobFigures } from './job-figures.ts'
export { type JobContext, type JobHandler, type JobHandlers, JobRunner } from './job-runner.ts'
export { enqueue, type HeldJob, type NewJob, wake, withdraw } from './job-store.ts'
