package io.millrace.api;

import org.junit.jupiter.api.Nested;

/** Every test of patterns, in the world of the subclass's tag. */
abstract class FabricPatterns {
  @Nested
  class BulkHeaders extends BulkHeadersTest {}

  @Nested
  class Codecs extends CodecsTest {}

  @Nested
  class Drain extends DrainTest {}

  @Nested
  class EndedEarly extends EndedEarlyTest {}

  @Nested
  class GoneCallers extends GoneCallersTest {}

  @Nested
  class HeaderLimits extends HeaderLimitsTest {}

  @Nested
  class LateHeaders extends LateHeadersTest {}

  @Nested
  class Ownership extends OwnershipTest {}

  @Nested
  class Patterns extends PatternsTest {}

  @Nested
  class Registration extends RegistrationTest {}

  @Nested
  class RequestAcceptor extends RequestAcceptorTest {}

  @Nested
  class UnaryFlow extends UnaryFlowTest {}

  @Nested
  class UnstartedGraph extends UnstartedGraphTest {}
}
