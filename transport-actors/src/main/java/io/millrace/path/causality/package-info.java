/**
 * The dependencies between transfers of this node, over all of the node's workers. Each worker has
 * a group of slots, and releases or fails the waiting transfers.
 */
@NullMarked
package io.millrace.path.causality;

import org.jspecify.annotations.NullMarked;
