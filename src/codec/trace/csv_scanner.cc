#include "codec/trace/csv_scanner.h"

#include "codec/trace/trace_builder.h"

namespace stint::codec {

CsvScanner::CsvScanner(std::string_view text) : text_(text) {
  if (text_.starts_with(kUtf8Mark)) text_.remove_prefix(kUtf8Mark.size());
}

bool CsvScanner::at_line_end() const {
  if (at_ == text_.size() || text_[at_] == '\n') return true;
  return text_[at_] == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] == '\n');
}

void CsvScanner::step_over_line_end() {
  if (at_ == text_.size()) return;
  if (text_[at_] == '\r') ++at_;
  if (at_ < text_.size()) ++at_;
  ++line_;
}

bool CsvScanner::next() {
  while (at_ < text_.size() && at_line_end()) step_over_line_end();
  if (at_ == text_.size()) return false;
  fields_.clear();
  unescaped_.clear();
  fault_ = {};
  record_begin_ = at_;
  record_line_ = line_;
  while (true) {
    if (at_ < text_.size() && text_[at_] == '"') {
      scan_quoted_field();
    } else {
      scan_plain_field();
    }
    if (!fault_.empty()) skip_line();
    if (at_line_end()) break;
    ++at_;  // the comma
  }
  step_over_line_end();
  return true;
}

void CsvScanner::scan_plain_field() {
  const std::size_t start = at_;
  const char* const begin = text_.data();
  const char* at = begin + at_;
  const char* const end = begin + text_.size();
  while (at != end && *at != ',' && *at != '\n' && *at != '"') ++at;
  at_ = static_cast<std::size_t>(at - begin);
  std::size_t size = at_ - start;
  if (at != end && *at == '"') {
    fault_ =
        "a quote inside a field that does not start with one; put the field in quotes and "
        "double the quote";
  }
  if ((at == end || *at == '\n') && size > 0 && at[-1] == '\r') {
    --at_;
    --size;
  }
  fields_.push_back({start, start, size, false});
}

void CsvScanner::scan_quoted_field() {
  Field field{at_, at_ + 1, 0, false};
  ++at_;
  std::size_t piece = at_;  // what is not yet in unescaped_
  while (true) {
    const std::size_t stop = text_.find_first_of("\"\n", at_);
    if (stop == std::string_view::npos) {
      at_ = text_.size();
      fault_ = "a quote that is never closed; add the closing quote";
      break;
    }
    at_ = stop + 1;
    if (text_[stop] == '\n') {
      ++line_;
      continue;
    }
    const bool is_doubled = at_ < text_.size() && text_[at_] == '"';
    if (!is_doubled) break;
    if (!field.is_unescaped) field.begin = unescaped_.size();
    field.is_unescaped = true;
    unescaped_.append(text_.substr(piece, at_ - piece));
    piece = ++at_;
  }
  const bool is_closed = fault_.empty();
  const std::size_t content_end = is_closed ? at_ - 1 : at_;
  if (field.is_unescaped) {
    unescaped_.append(text_.substr(piece, content_end - piece));
    field.size = unescaped_.size() - field.begin;
  } else {
    field.size = content_end - field.begin;
  }
  fields_.push_back(field);
  if (is_closed && !at_line_end() && text_[at_] != ',') {
    fault_ = "text behind a closing quote; double the quotes that belong to the field";
  }
}

void CsvScanner::skip_line() {
  while (!at_line_end()) ++at_;
}

CsvPlace CsvScanner::place(std::size_t i) const {
  std::size_t to = at_;
  if (i < fields_.size()) {
    to = fields_[i].start;
  } else if (!fields_.empty()) {
    const Field& last = fields_.back();
    to = last.is_unescaped ? last.start : last.begin + last.size;
  }
  CsvPlace place{record_line_, 1};
  std::size_t line_begin = record_begin_;
  for (std::size_t at = record_begin_; at < to; ++at) {
    if (text_[at] != '\n') continue;
    ++place.line;
    line_begin = at + 1;
  }
  place.column = count_characters(text_.substr(line_begin, to - line_begin)) + 1;
  return place;
}

}  // namespace stint::codec
