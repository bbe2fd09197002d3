/**
 * Granting memory: who may write into this worker's regions, what has landed there, and when a
 * region is taken back; rules W-1 to W-17 of the receiver. On the worker's thread.
 */
@NullMarked
package io.millrace.path.region;

import org.jspecify.annotations.NullMarked;
