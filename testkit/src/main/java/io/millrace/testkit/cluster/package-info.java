/**
 * Nodes in JVMs of their own on this host, for tests over real sockets: {@link
 * io.millrace.testkit.cluster.Cluster} starts them, runs a {@link
 * io.millrace.testkit.cluster.NodeProgram} in each, lets them meet at barriers and exchange values,
 * and kills, stops, resumes and restarts them. {@link io.millrace.testkit.cluster.ClusterTest} does
 * that around JUnit tests.
 *
 * <p>Every wait has a limit and names who is missing. A child ends when its parent does: its
 * control connection closes.
 */
@NullMarked
package io.millrace.testkit.cluster;

import org.jspecify.annotations.NullMarked;
