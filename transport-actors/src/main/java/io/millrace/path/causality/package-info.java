/**
 * The dependencies between transfers of this node, over all of the node's workers: each worker's
 * group of slots, and the release or failure of waiting transfers.
 */
@NullMarked
package io.millrace.path.causality;

import org.jspecify.annotations.NullMarked;
