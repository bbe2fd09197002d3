package io.millrace.api;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each pattern once over real sockets: the test that {@code bin/millrace check} runs after each
 * change. {@link PatternsTest} runs the same checks everywhere.
 */
@Timeout(60)
final class SmokeTest {
  @ParameterizedTest
  @EnumSource
  void shouldTransferByEachPattern(PatternsTest.Pattern pattern) throws Exception {
    PatternWorld.UDP_NIO.run(nodes -> pattern.check(nodes, PatternsTest.Headers.BOTH));
  }
}
