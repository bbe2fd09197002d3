/**
 * Sans-IO machines of write tokens: the receiver's decision which sender may write which region and
 * how much of the region now ({@link io.millrace.protocol.region.RegionPool}), and the sender's use
 * of its tokens ({@link io.millrace.protocol.region.TokenCache}).
 */
@NullMarked
package io.millrace.protocol.region;

import org.jspecify.annotations.NullMarked;
