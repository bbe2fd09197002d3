/** Tests of the gossip sample. */
@NullMarked
package io.millrace.samples.gossip;

import org.jspecify.annotations.NullMarked;
