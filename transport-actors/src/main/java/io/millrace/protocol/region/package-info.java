/**
 * Sans-IO machines of write tokens: which region of a receiver's memory who may write and how much
 * of it now ({@link io.millrace.protocol.region.RegionPool}), and what a sender does with the
 * tokens it was given ({@link io.millrace.protocol.region.TokenCache}).
 */
@NullMarked
package io.millrace.protocol.region;

import org.jspecify.annotations.NullMarked;
