export { type DeadJob, listDeadJobs, retryDeadJob } from './dead-jobs.ts'
export { type JobContext, type JobHandler, type JobHandlers, JobRunner } from './runner.ts'
export { type JobStats, jobStats } from './stats.ts'
export { type ClaimedJob, enqueue, makeDue, type NewJob, renewLease, wake, withdraw, withdrawal } from './store.ts'
