/**
 * The members of a Pekko Cluster as peers. It needs {@code pekko-cluster-typed}, which whoever uses
 * it brings.
 */
@NullMarked
package io.millrace.api.cluster;

import org.jspecify.annotations.NullMarked;
