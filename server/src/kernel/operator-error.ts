/**
 * A sentence for the operator who asked for something that cannot be. The command line prints it; the operator door answers it
 * as a 400 with this message, since what an operator may read is not bound to the public list of refusals.
 */
export class OperatorError extends Error {}
