export { listDeadJobs, retryDeadJob } from './dead-jobs.ts'
export { type JobContext, type JobHandler, type JobHandlers, JobRunner } from './runner.ts'
export { jobStats } from './stats.ts'
export { type ClaimedJob, enqueue, makeDue, renewLease, wake, withdraw, withdrawal } from './store.ts'
