/**
 * Nodes in JVMs of their own on this host, for tests over real sockets. {@link
 * io.millrace.testkit.cluster.Cluster} starts the nodes, runs a {@link
 * io.millrace.testkit.cluster.NodeProgram} in each node, lets nodes meet at barriers and exchange
 * values, and kills, stops, resumes and restarts nodes. {@link
 * io.millrace.testkit.cluster.ClusterTest} gives such a cluster to JUnit tests.
 *
 * <p>Every wait has a limit and names the missing nodes. A child ends when its parent does: its
 * control connection closes.
 */
@NullMarked
package io.millrace.testkit.cluster;

import org.jspecify.annotations.NullMarked;
