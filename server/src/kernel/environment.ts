/** The two separate sets of data that every installation has. Test never sees live. */
export type Environment = 'test' | 'live'
