/**
 * The terms of a node that applications and the engine share: the node's world, loops and drain.
 */
@NullMarked
package io.millrace.node;

import org.jspecify.annotations.NullMarked;
