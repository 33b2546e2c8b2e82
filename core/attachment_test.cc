#include "switchyard/core/attachment.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "switchyard/core/error.h"

namespace sy {
namespace {

std::vector<std::string> gone;

struct Note : Attachment {
  static constexpr AttachmentKind kKind{"note"};
  explicit Note(std::string t) : text(std::move(t)) {}
  ~Note() override { gone.push_back(text); }
  std::string text;
};
struct Number : Attachment {
  static constexpr AttachmentKind kKind{"number"};
  explicit Number(int n) : value(n) {}
  ~Number() override { gone.push_back(std::to_string(value)); }
  int value;
};

struct Link : Attachment {
  static constexpr AttachmentKind kKind{"link"};
  Tensor next;
};

class AttachmentTest : public testing::Test {
 protected:
  void SetUp() override { gone.clear(); }
};

TEST_F(AttachmentTest, OneOfEachKindIsFoundThroughEveryHandle) {
  const Tensor t = Tensor::Empty({2, 3}, DType::kFloat32), same = t;
  EXPECT_EQ(Attached<Note>(t), nullptr);
  Attach(t, std::make_unique<Note>("a"));
  Attach(t, std::make_unique<Number>(7));
  EXPECT_EQ(Attached<Note>(same)->text, "a");
  EXPECT_EQ(Attached<Number>(same)->value, 7);
  Attach(same, std::make_unique<Note>("b"));
  EXPECT_EQ(gone, std::vector<std::string>{"a"});
  EXPECT_EQ(Attached<Note>(t)->text, "b");
  EXPECT_EQ(Attached<Number>(t)->value, 7);
}

TEST_F(AttachmentTest, TheyGoWithTheTensorTheLastFirst) {
  Tensor t = Tensor::Empty({2}, DType::kFloat32);
  Attach(t, std::make_unique<Note>("a"));
  Attach(t, std::make_unique<Number>(7));
  t = Tensor();
  EXPECT_EQ(gone, (std::vector<std::string>{"7", "a"}));
}

TEST_F(AttachmentTest, ViewsHaveNoneAndOutliveThem) {
  Tensor t = Tensor::Empty({4, 4}, DType::kFloat32);
  Attach(t, std::make_unique<Note>("a"));
  const Tensor view = t.AsStrided({2}, {1}, 3);
  EXPECT_EQ(Attached<Note>(view), nullptr);
  t = Tensor();
  EXPECT_EQ(gone, std::vector<std::string>{"a"});
  view.data<float>()[1] = 1;  // the bytes are there
}

TEST_F(AttachmentTest, ATensorOfManyDimensionsHasThemToo) {
  Tensor t = Tensor::Empty({1, 1, 1, 1, 1, 1, 2}, DType::kFloat32);
  Attach(t, std::make_unique<Note>("a"));
  EXPECT_EQ(Attached<Note>(t)->text, "a");
  t = Tensor();
  EXPECT_EQ(gone, std::vector<std::string>{"a"});
}

TEST_F(AttachmentTest, WhatIsDetachedIsTheCallers) {
  const Tensor t = Tensor::Empty({2}, DType::kFloat32);
  Attach(t, std::make_unique<Note>("a"));
  Attach(t, std::make_unique<Number>(7));
  const std::unique_ptr<Note> note = Detach<Note>(t);
  EXPECT_EQ(note->text, "a");
  EXPECT_EQ(Attached<Note>(t), nullptr);
  EXPECT_EQ(Attached<Number>(t)->value, 7);
  EXPECT_EQ(Detach<Note>(t), nullptr);
  EXPECT_TRUE(gone.empty());
}

TEST_F(AttachmentTest, AnAttachmentMayHoldTensorsThatHaveSome) {
  Tensor first;
  for (int i = 0; i < 1000; ++i) {
    Tensor t = Tensor::Empty({1}, DType::kFloat32);
    auto link = std::make_unique<Link>();
    link->next = std::move(first);
    Attach(t, std::move(link));
    first = std::move(t);
  }
  first = Tensor();
}

TEST_F(AttachmentTest, AnUndefinedTensorHasNone) {
  EXPECT_THROW(Attach(Tensor(), std::make_unique<Note>("a")), Error);
  EXPECT_EQ(gone, std::vector<std::string>{"a"});
  EXPECT_EQ(Attached<Note>(Tensor()), nullptr);
}

}  // namespace
}  // namespace sy
