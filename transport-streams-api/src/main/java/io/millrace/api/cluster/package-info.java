/**
 * The members of a Pekko Cluster as peers. The package needs {@code pekko-cluster-typed} on the
 * application's class path.
 */
@NullMarked
package io.millrace.api.cluster;

import org.jspecify.annotations.NullMarked;
