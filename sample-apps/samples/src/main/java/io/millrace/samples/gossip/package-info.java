/**
 * A sample: a leader proposes, some forty validators vote, and the leader counts. Read {@link
 * io.millrace.samples.gossip.Validator} first, then {@link io.millrace.samples.gossip.Leader};
 * docs/samples/gossip.md says more.
 */
@NullMarked
package io.millrace.samples.gossip;

import org.jspecify.annotations.NullMarked;
